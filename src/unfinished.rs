//! Files while they are written: under a name of their own, so that whoever opens the file that they become sees all of it or nothing.
//!
//! A process that is killed leaves such a file. While it is written it is locked, by which others see, also on other machines, whether it is left
//! over. Where there are no locks, nobody takes a file for left over.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// They end so, behind the number of the process.
const EXTENSION: &str = "tmp";

/// Creates the file `STEM.PID.tmp`, whose name no other process uses, and returns it with its path.
pub fn create(stem: &Path) -> io::Result<(File, PathBuf)> {
    let mut path = stem.as_os_str().to_owned();
    path.push(format!(".{}.{EXTENSION}", std::process::id()));
    let path = PathBuf::from(path);
    loop {
        // What is left from a process of the same number may be something that cannot be written.
        let _ = fs::remove_file(&path);
        let file = File::create_new(&path)?;
        let _ = file.lock();
        // Another may have removed it before it was locked.
        if path.exists() {
            return Ok((file, path));
        }
    }
}

/// Removes from a folder what was left over of files with certain stems.
pub fn remove_leftovers(folder: &Path, is_wanted: impl Fn(&OsStr) -> bool) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        // To open a pipe would wait until somebody reads it.
        if !stem_of(&entry.file_name()).is_some_and(&is_wanted)
            || !entry.file_type().is_ok_and(|kind| kind.is_file())
        {
            continue;
        }
        // What cannot be opened or removed harms nobody.
        let file = File::options().write(true).open(entry.path());
        if file.is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns the stem of the name of an unfinished file.
fn stem_of(name: &OsStr) -> Option<&OsStr> {
    let name = Path::new(name);
    let numbered = Path::new(name.file_stem()?);
    let number = numbered.extension()?.to_str()?;
    let is_unfinished = name.extension()? == EXTENSION && number.parse::<u32>().is_ok();
    numbered.file_stem().filter(|_| is_unfinished)
}

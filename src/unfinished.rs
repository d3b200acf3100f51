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

/// Creates the file `STEM.PID.tmp`, or with the next number that is free, and returns it with its path. In containers, and on other machines,
/// processes may have the same number.
pub fn create(stem: &Path) -> io::Result<(File, PathBuf)> {
    let mut number = std::process::id();
    loop {
        let mut path = stem.as_os_str().to_owned();
        path.push(format!(".{number}.{EXTENSION}"));
        let path = PathBuf::from(path);
        remove_leftover(&path);
        match File::create_new(&path) {
            Ok(file) => {
                let _ = file.lock();
                // Another may have removed it before it was locked.
                if path.exists() {
                    return Ok((file, path));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                number = number.wrapping_add(1);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Removes from a folder what was left over of files with certain stems.
pub fn remove_leftovers(folder: &Path, is_wanted: impl Fn(&OsStr) -> bool) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        if stem_of(&entry.file_name()).is_some_and(&is_wanted) {
            remove_leftover(&entry.path());
        }
    }
}

/// Removes a file that nobody is writing. What cannot be opened or removed harms nobody.
fn remove_leftover(path: &Path) {
    // To open a pipe would wait until somebody reads it.
    if !fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return;
    }
    // The lock is held until the file is gone, so that nobody begins to write it meanwhile.
    if let Ok(file) = File::options().write(true).open(path)
        && file.try_lock().is_ok()
    {
        let _ = fs::remove_file(path);
    }
}

/// Returns the stem of the name of an unfinished file.
fn stem_of(name: &OsStr) -> Option<&OsStr> {
    let name = Path::new(name);
    let numbered = Path::new(name.file_stem()?);
    let number = numbered.extension()?.to_str()?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let is_unfinished = name.extension()? == EXTENSION && is_number;
    numbered.file_stem().filter(|_| is_unfinished)
}

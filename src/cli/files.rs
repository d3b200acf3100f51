//! Files that commands write: replaced as a whole with the permissions that they had, and not before the new text is complete.
//!
//! A process that is killed leaves its temporary file, `NAME.PID.tmp`. Nobody reads it, and the next process that is to write the same file
//! removes it.

use super::Failure;
use crate::unfinished;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

/// A file that is going to be written, or replaced if it is there.
pub(super) struct OutputFile {
    /// As it was given.
    name: PathBuf,
    /// Where it leads to.
    target: PathBuf,
}

impl OutputFile {
    /// Fails if a file could not be written, so that nobody learns it after hours of work. Removes what processes have left of it which were
    /// killed.
    pub(super) fn at(path: &Path) -> Result<Self, Failure> {
        let target = target_of(path).and_then(|target| {
            let (_locked, temporary) = unfinished::create(&target)?;
            fs::remove_file(&temporary)?;
            unfinished::remove_leftovers(folder_of(&target), |stem| {
                target.file_name() == Some(stem)
            });
            Ok(target)
        });
        Ok(Self {
            name: path.to_owned(),
            target: target.map_err(|error| unwritable(path, &error))?,
        })
    }

    /// Returns what is in the file now, which is nothing if it is not there.
    pub(super) fn read(&self) -> Result<Vec<u8>, Failure> {
        match fs::read(&self.target) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            read => read.map_err(|error| {
                Failure::Failed(format!("cannot read: {}: {error}", self.name.display()))
            }),
        }
    }

    /// Writes the file: whoever reads it sees the old or the new text, never a part.
    pub(super) fn replace(&self, text: &str) -> Result<(), Failure> {
        self.replace_bytes(text.as_bytes())
    }

    /// Writes a file that is not text, in the same way.
    pub(super) fn replace_bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.replace_with(|file| file.write_all(bytes).map_err(Failure::Output))
    }

    /// Writes a file piece by piece, in the same way: if writing fails, the old one stays.
    pub(super) fn replace_with<T>(
        &self,
        write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let written = unfinished::create(&self.target).map_err(Failure::Output);
        let written = written.and_then(|(file, temporary)| {
            self.write_to(file, &temporary, write).inspect_err(|_| {
                let _ = fs::remove_file(&temporary);
            })
        });
        written.map_err(|error| match error {
            Failure::Output(error) => unwritable(&self.name, &error),
            other => other,
        })
    }

    fn write_to<T>(
        &self,
        file: File,
        temporary: &Path,
        write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        // Before anything is in it, so that nobody reads what he could not read before.
        if let Some(old) = self.permissions()? {
            file.set_permissions(old)?;
        }
        let mut file = BufWriter::new(file);
        let answer = write(&mut file)?;
        let file = file.into_inner().map_err(IntoInnerError::into_error)?;
        file.sync_all()?;
        fs::rename(temporary, &self.target)?;
        Ok(answer)
    }

    /// Returns the name of a file beside this one: its own with something behind it.
    pub(super) fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.target.as_os_str().to_owned();
        name.push(format!(".{ending}"));
        name.into()
    }

    /// Gives a file in which nothing is yet, and which is to grow and be taken over, the permissions of this one. If nobody may write this one,
    /// it gets them when it is taken over.
    pub(super) fn protect(&self, growing: &File) -> io::Result<()> {
        match self.permissions()? {
            Some(old) if !old.readonly() => growing.set_permissions(old),
            _ => Ok(()),
        }
    }

    /// Puts a complete file that lies beside this one into its place, with its permissions.
    pub(super) fn take_over(&self, complete: &Path) -> Result<(), Failure> {
        let replace = || {
            if let Some(old) = self.permissions()?
                && old != fs::metadata(complete)?.permissions()
            {
                fs::set_permissions(complete, old)?;
            }
            fs::rename(complete, &self.target)
        };
        replace().map_err(|error| unwritable(&self.name, &error))
    }

    /// Returns the permissions of the file that is there, if one is.
    fn permissions(&self) -> io::Result<Option<Permissions>> {
        match fs::metadata(&self.target) {
            Ok(old) => Ok(Some(old.permissions())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Returns the failure to write a file.
pub(super) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::Failed(format!("cannot write: {}: {error}", path.display()))
}

/// Returns the file that a path leads to, which need not be there yet. A link is followed, so that what it points to is replaced and
/// not the link; devices, pipes and folders are refused, since they cannot be replaced.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => fs::canonicalize(path),
        Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => Err(io::Error::other("not a regular file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_link(path) {
            // A link to nothing yet. Links in a circle are another error.
            Ok(next) => target_of(&path.with_file_name("").join(next)),
            Err(_) => Ok(path.to_owned()),
        },
        Err(error) => Err(error),
    }
}

/// Returns the folder that a file is in, or would be if it were there.
fn folder_of(path: &Path) -> &Path {
    let folder = path.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Says whether two paths lead to the same file, or would if it were there.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| {
        fs::canonicalize(path).or_else(|error| {
            let folder = fs::canonicalize(folder_of(path))?;
            Ok::<_, io::Error>(folder.join(path.file_name().ok_or(error)?))
        })
    };
    matches!((real(one), real(other)), (Ok(one), Ok(other)) if one == other)
}

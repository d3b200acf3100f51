//! `mainroad man`: the manual page.

use super::{Answered, Entry, Outcome, Streams};
use clap::{ArgMatches, Command};
use clap_mangen::Man;
use std::io;

pub(super) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    Command::new("man")
        .about("Writes the manual page, in roff")
        .long_about("Writes the manual page, which covers all commands, in roff.")
        .after_help("Example: mainroad man | man -l -")
}

fn run(_: &ArgMatches, streams: &mut Streams) -> Outcome {
    let mut page = Vec::new();
    let mut program = super::command();
    // Gives the commands their full names.
    program.build();
    Man::new(program.clone()).render(&mut page)?;
    render_commands(&program, &mut page)?;
    streams.out.write_all(&page)?;
    Ok(Answered::Yes)
}

/// Adds a section for each command that has no commands of its own.
fn render_commands(parent: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    for command in parent
        .get_subcommands()
        .filter(|command| command.get_name() != "help")
    {
        if command.has_subcommands() {
            render_commands(command, page)?;
        } else {
            render_command(command, page)?;
        }
    }
    Ok(())
}

/// Adds the section of a command: what would be a page of its own, one level deeper.
fn render_command(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let man = Man::new(command.clone());
    let mut section = Vec::new();
    man.render_synopsis_section(&mut section)?;
    man.render_description_section(&mut section)?;
    man.render_options_section(&mut section)?;
    man.render_extra_section(&mut section)?;
    let name = command.get_bin_name().unwrap_or_default();
    let section = String::from_utf8_lossy(&section).replace(".SH ", ".SS ");
    page.extend(format!(".SH \"{}\"\n{section}", name.to_uppercase()).bytes());
    Ok(())
}

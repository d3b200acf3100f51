//! What an analysis works with: options, limits, and the tables of each game, opened when it is first met.

use crate::egdb::Tables;
use crate::engine::{Engine, Options, ResourceError, Resources};
use crate::rules::{Brazilian, Pool, Rules, Russian, Variant};
use crate::tools::analysis::{Effort, Interrupt, Means};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::any::Any;
use std::fmt::Write;
use std::sync::{Arc, OnceLock};

/// The size of the table of each of many searches, in MiB, unless one is chosen: a machine with many cores has not the usual size for each.
const HASH_APART: usize = 64;

/// What all parts of a run share.
pub(super) struct Setting {
    pub(super) options: Options,
    pub(super) effort: Effort,
    pub(super) interrupt: Interrupt,
    /// The rule set was chosen, not just left at its default.
    is_variant_given: bool,
    is_threads_given: bool,
    is_hash_given: bool,
    /// By variant: an `Option<Arc<Tables<R>>>`, whose type differs.
    tables: [OnceLock<Box<dyn Any + Send + Sync>>; Variant::ALL.len()],
    /// What is to be told on standard error.
    warnings: Mutex<Vec<String>>,
}

impl Setting {
    pub(super) fn new(
        options: Options,
        effort: Effort,
        interrupt: Interrupt,
        is_given: impl Fn(&str) -> bool,
    ) -> Self {
        Self {
            options,
            effort,
            interrupt,
            is_variant_given: is_given("variant"),
            is_threads_given: is_given("threads"),
            is_hash_given: is_given("hash"),
            tables: Default::default(),
            warnings: Mutex::default(),
        }
    }

    /// Returns the rule set that was asked for, if one was.
    pub(super) fn variant(&self) -> Option<Variant> {
        self.is_variant_given.then_some(self.options.variant)
    }

    /// Returns the size of the table of each search in MiB, if one was asked for.
    pub(super) fn hash_mib(&self) -> Option<usize> {
        self.is_hash_given.then_some(self.options.hash_mib)
    }

    /// Says whether the limits make the same search the same on every run.
    pub(super) fn is_repeatable(&self) -> bool {
        self.effort.time.is_none()
    }

    /// Returns the threads for the search of a single position.
    pub(super) fn threads_for_position(&self) -> usize {
        if self.is_repeatable() && !self.is_threads_given {
            1
        } else {
            self.options.threads
        }
    }

    /// Returns what an analysis under some rules needs.
    pub(super) fn means<R: Rules>(&self) -> Means<R> {
        let open = || -> Box<dyn Any + Send + Sync> {
            let engine = Engine::<R>::default();
            let faults = engine.table_faults(&self.options);
            let faults = faults.iter().map(|fault| format!("bad tables: {fault}"));
            self.warnings.lock().extend(faults);
            Box::new(engine.tables())
        };
        let tables = self.tables[R::VARIANT as usize].get_or_init(open);
        let tables: Option<&Option<Arc<Tables<R>>>> = tables.downcast_ref();
        Means {
            options: Options {
                variant: R::VARIANT,
                ..self.options.clone()
            },
            tables: tables.expect("they were made for these rules").clone(),
            effort: self.effort,
            interrupt: self.interrupt.clone(),
        }
    }

    /// Returns the evaluation that was chosen, and what it is for each game: the checksum of its weights.
    pub(super) fn net(&self) -> Value {
        let net = &self.options.net;
        let of = [
            net.fingerprint::<<Russian as Rules>::Movement>(),
            net.fingerprint::<<Pool as Rules>::Movement>(),
            net.fingerprint::<<Brazilian as Rules>::Movement>(),
        ];
        json!({ "chosen": net.to_string(), "games": of })
    }

    /// Returns the tables that were chosen, and the checksum of what is in them for each game.
    pub(super) fn tables(&self) -> Value {
        let of = [
            self.tables_of::<Russian>(),
            self.tables_of::<Pool>(),
            self.tables_of::<Brazilian>(),
        ];
        json!({ "chosen": self.options.tables, "games": of })
    }

    /// Returns the checksum of the tables of a game, if there are any. Their faults are told when a game needs them.
    fn tables_of<R: Rules>(&self) -> Option<String> {
        let engine = Engine::<R>::default();
        engine.table_faults(&self.options);
        let tables = engine.tables()?;
        Some(format!("crc32 {:08x}", tables.fingerprint()))
    }

    /// Returns threads and memory for one search at a time.
    pub(super) fn resources(&self, threads: usize) -> Result<Resources, ResourceError> {
        Resources::new(&Options {
            threads,
            ..self.options.clone()
        })
    }

    /// Returns threads and memory for searches side by side, by one thread each.
    pub(super) fn resources_apart(&self, workers: usize) -> Result<Vec<Resources>, ResourceError> {
        let options = Options {
            threads: 1,
            hash_mib: self.hash_mib().unwrap_or(HASH_APART),
            ..self.options.clone()
        };
        (0..workers).map(|_| Resources::new(&options)).collect()
    }

    /// Returns what is to be told and has not been yet.
    pub(super) fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut self.warnings.lock())
    }

    /// Says in words what is spent on each position.
    pub(super) fn effort_in_words(&self) -> String {
        let Effort {
            depth,
            nodes,
            time,
            lines,
        } = self.effort;
        let limits = [
            depth.map(|depth| format!("depth {depth}")),
            nodes.map(|nodes| format!("{nodes} nodes")),
            time.map(|time| format!("{} s", time.as_secs_f64())),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        let mut words = format!("{} a position", limits.join(", "));
        if lines > 1 {
            let _ = write!(words, ", {lines} lines");
        }
        words
    }
}

//! What the processor and the system can do but safe Rust cannot express: the only module with unsafe code, behind safe functions.
#![cfg_attr(
    not(target_family = "wasm"),
    expect(
        unsafe_code,
        reason = "a prefetch takes a pointer, and mapped memory is bytes until it is said to be something else"
    )
)]

use bytemuck::Zeroable;
use std::ops::Deref;
#[cfg(not(target_family = "wasm"))]
use {
    memmap2::{MmapMut, MmapRaw},
    std::marker::PhantomData,
    std::slice,
};

/// Asks the processor to load a value into its caches, without waiting for it; on processors other than x86-64 nothing happens. It
/// saves the search a twenty-fifth of its time.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let line = std::ptr::from_ref(value).cast();
        // SAFETY: every x86-64 processor has SSE, and a prefetch reads nothing that the program can see, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// A large slice of zeros.
#[cfg(target_family = "wasm")]
pub struct Zeros<T>(Box<[T]>);

#[cfg(target_family = "wasm")]
impl<T: Zeroable> Zeros<T> {
    /// Returns a slice of `len` values, but of one if `len` is 0; `None` if there is not enough memory.
    pub fn new(len: usize) -> Option<Self> {
        let zeros = bytemuck::allocation::try_zeroed_slice_box(len.max(1));
        zeros.ok().map(Self)
    }
}

#[cfg(target_family = "wasm")]
impl<T> Deref for Zeros<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

/// The smallest page of the systems we know, in bytes; mapped memory begins at a page.
#[cfg(not(target_family = "wasm"))]
const PAGE_BYTES: usize = 4096;

/// A large slice of zeros, fresh from the system and in huge pages where it has them.
///
/// No page is touched before its first use, so even a large slice is there at once. The system clears each page at that first use;
/// with pages of 4 KiB this is so much work that a search of 50 ms would spend half of its time on it, and with two threads nearly
/// all of it.
#[cfg(not(target_family = "wasm"))]
pub struct Zeros<T> {
    /// Not as bytes: what is read through a shared slice of bytes must not change.
    memory: MmapRaw,
    len: usize,
    content: PhantomData<[T]>,
}

#[cfg(not(target_family = "wasm"))]
impl<T: Zeroable> Zeros<T> {
    /// Returns a slice of `len` values, but of one if `len` is 0; `None` if there is not enough memory.
    pub fn new(len: usize) -> Option<Self> {
        const {
            assert!(size_of::<T>() > 0 && align_of::<T>() <= PAGE_BYTES);
            assert!(!std::mem::needs_drop::<T>());
        }
        let bytes = len.max(1).checked_mul(size_of::<T>())?;
        let memory = MmapMut::map_anon(bytes).ok()?;
        // A system without huge pages says no, and gives small ones. Miri cannot be asked.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Some(Self {
            memory: memory.into(),
            len: len.max(1),
            content: PhantomData,
        })
    }
}

#[cfg(not(target_family = "wasm"))]
impl<T> Deref for Zeros<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the mapping is at least `len` times the size of `T` long, begins at a page, so that it is aligned for `T` (`new`
        // asserts that), lives as long as `self`, and no reference to its bytes is ever made. It was all zeros, which is a value of `T`,
        // since `new`, the only way to a `Zeros`, demands `Zeroable`. Since then it has been changed only through references to `T`.
        unsafe { slice::from_raw_parts(self.memory.as_mut_ptr().cast(), self.len) }
    }
}

#[cfg(test)]
mod tests;

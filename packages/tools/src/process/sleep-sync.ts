/** Blocks this thread for some milliseconds. */
export function sleepSync(milliseconds: number): void {
  Atomics.wait(CELL, 0, 0, milliseconds)
}

const CELL = new Int32Array(new SharedArrayBuffer(4))

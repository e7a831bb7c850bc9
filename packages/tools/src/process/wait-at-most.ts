/**
 * Waits for a promise, up to a number of milliseconds. Resolves with true if it was fulfilled in
 * time.
 */
export async function waitAtMost(milliseconds: number, event: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  try {
    return await Promise.race([event.then(() => true), over])
  } finally {
    clearTimeout(timer)
  }
}

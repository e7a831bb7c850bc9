/** Lets others go on where work would keep them waiting. */
export function breather(most = 8): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < most) return undefined
    return new Promise((resolve) =>
      setTimeout(() => {
        since = performance.now()
        resolve()
      }),
    )
  }
}

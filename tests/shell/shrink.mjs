/** Removes as much of a command as possible while it remains a difference of the same kind. */
export async function shrunk(text, isDifference, most = 150) {
  let smallest = text
  let left = most
  for (let size = text.length >> 1; size > 0; size = size > 1 ? size >> 1 : 0) {
    for (let at = 0; at < smallest.length && left > 0; left--) {
      const shorter = smallest.slice(0, at) + smallest.slice(at + size)
      if (await isDifference(shorter)) smallest = shorter
      else at += size
    }
  }
  return smallest
}

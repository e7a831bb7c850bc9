/** Random choices that depend only on a seed, so that every text is reproducible. */
export function random(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  const below = (count) => Math.floor(next() * count)
  return {
    below,
    pick: (list) => list[below(list.length)],
    chance: (probability) => next() < probability,
  }
}

/** The hash of a command, used as a seed and to recognize the command. */
export function hashOf(text) {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

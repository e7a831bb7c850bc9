/**
 * Changes objects in place. While `keeps` is true, the previous value of each changed place is
 * stored, so that all changes can be undone.
 */
export interface Undo {
  /** True if changes can be undone. */
  keeps: boolean
  readonly set: <Target extends object, Key extends keyof Target>(
    target: Target,
    key: Key,
    value: Target[Key],
  ) => void
  readonly push: <Value>(list: Value[], value: Value) => void
  readonly put: <Key, Value>(map: Map<Key, Value>, key: Key, value: Value) => void
  /** Adds a value to a set or removes it. */
  readonly include: <Value>(members: Set<Value>, value: Value, isIn: boolean) => void
  /**
   * Undoes all changes since the last time. The cost depends on the number of changed places, not
   * of changes.
   */
  readonly revert: () => void
}

/** Creates an undo log. */
export function createUndo(): Undo {
  /** A function that restores each changed place. */
  const kept = new Map<object, Map<unknown, () => void>>()
  /** The original length of each list. Items added later need no separate record. */
  const lengths = new Map<readonly unknown[], number>()

  const undo: Undo = {
    keeps: false,
    set(target, key, value) {
      const isNew = Array.isArray(target) && Number(key) >= (lengths.get(target) ?? Infinity)
      if (!isNew) {
        const before = target[key]
        keep(target, key, () => void (target[key] = before))
      }
      target[key] = value
    },
    push(list, value) {
      if (undo.keeps && !lengths.has(list)) lengths.set(list, list.length)
      list.push(value)
    },
    put(map, key, value) {
      const before = map.get(key)
      const had = map.has(key)
      keep(map, key, () => void (had ? map.set(key, before!) : map.delete(key)))
      map.set(key, value)
    },
    include(members, value, isIn) {
      if (members.has(value) === isIn) return
      // All members are stored, because there are few and their order matters.
      if (undo.keeps && !kept.has(members)) {
        const before = [...members]
        keep(members, undefined, () => {
          members.clear()
          for (const each of before) members.add(each)
        })
      }
      if (isIn) members.add(value)
      else members.delete(value)
    },
    revert() {
      for (const [list, length] of lengths) (list as unknown[]).length = length
      for (const places of kept.values()) for (const restore of places.values()) restore()
      lengths.clear()
      kept.clear()
    },
  }
  function keep(target: object, place: unknown, restore: () => void): void {
    if (!undo.keeps) return
    const places = kept.get(target) ?? new Map<unknown, () => void>()
    if (places.size === 0) kept.set(target, places)
    if (!places.has(place)) places.set(place, restore)
  }
  return undo
}

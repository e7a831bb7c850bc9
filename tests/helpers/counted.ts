/** JSON that counts how often its values are read. */
export function counted<Value>(value: Value): {
  readonly value: Value
  readonly reads: () => number
} {
  let count = 0
  const made = new WeakMap<object, object>()
  const wrap = <Part>(part: Part): Part => {
    if (typeof part !== 'object' || part === null) return part
    let proxy = made.get(part)
    if (!proxy) {
      const get = (target: object, key: PropertyKey): unknown => {
        count++
        return wrap(Reflect.get(target, key) as unknown)
      }
      made.set(part, (proxy = new Proxy(part, { get })))
    }
    return proxy as Part
  }
  return { value: wrap(value), reads: () => count }
}

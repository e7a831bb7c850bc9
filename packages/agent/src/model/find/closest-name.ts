import { nearest } from '@toolglot/permissions/internal'

/** The name that another one may be meant for: a misspelling, or only its beginning or a part of it, as `qwen3` of `qwen3:8b`. */
export function closestName(named: string, names: readonly string[]): string | undefined {
  const [close] = nearest(named, names)
  const part = named.toLowerCase()
  if (close !== undefined || part.length < 3) return close
  return (
    names.find((name) => name.toLowerCase().startsWith(part)) ??
    names.find((name) => name.toLowerCase().includes(part))
  )
}

export function echoes(_call: unknown, _untrusted: readonly string[]): boolean {
  return false
}

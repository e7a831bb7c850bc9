/** An argument that is text. */
export function textOf(
  args: Readonly<Record<string, unknown>>,
  key: string | undefined,
): string | undefined {
  const value = key === undefined ? undefined : args[key]
  return typeof value === 'string' ? value : undefined
}

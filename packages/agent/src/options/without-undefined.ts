/**
 * The defined fields of an object. Spreading them over default values keeps the defaults of the
 * others.
 */
export function withoutUndefined<Value extends object>(
  value: Value,
): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== undefined),
  ) as ReturnType<typeof withoutUndefined<Value>>
}

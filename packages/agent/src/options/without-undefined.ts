/** The fields of an object that are not undefined. Spread over defaults, they keep the defaults of the others. */
export function withoutUndefined<Value extends object>(
  value: Value,
): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== undefined),
  ) as ReturnType<typeof withoutUndefined<Value>>
}

/**
 * Keeps only the defined fields of an object, so that spreading it over default values does not
 * overwrite a default with undefined.
 */
export function withoutUndefined<Value extends object>(
  value: Value,
): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== undefined),
  ) as ReturnType<typeof withoutUndefined<Value>>
}

export async function serialise(
  value: unknown,
  most: number,
): Promise<{ text: string; truncated?: true; size?: number }> {
  return { text: String(value).slice(0, most) }
}

export function cutResult(text: string, most: number, _call?: string): string {
  return text.slice(0, most)
}

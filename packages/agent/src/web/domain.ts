/** A pattern of a domain rule; or what is wrong with it. */
export function readDomainPattern(pattern: string): { pattern: string } | string {
  return pattern.startsWith('domain:') ? { pattern } : 'Expected domain: and a host.'
}

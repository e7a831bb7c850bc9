/** The raw file that a GitHub page shows; undefined if it shows none. */
export function rawOnGithub(url: URL): URL | undefined {
  if (url.origin !== 'https://github.com') return undefined
  const [, owner, repository, kind, ...rest] = url.pathname.split('/')
  if (kind !== 'blob' || rest.length < 2 || rest.includes('')) return undefined
  return new URL(`https://raw.githubusercontent.com/${owner}/${repository}/${rest.join('/')}`)
}

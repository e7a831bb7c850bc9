/** What would make a repository read its settings elsewhere. An empty one would break it, so that it is taken away after. */
export const UNWANTED: readonly string[] = ['.git/commondir']

/** What in a home holds secrets: commands do not see it. */
export const HIDDEN: readonly string[] = [
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/gh',
  '.config/google-chrome',
  '.docker/config.json',
  '.git-credentials',
  '.gnupg',
  '.kube',
  '.local/share/keyrings',
  '.mozilla',
  '.netrc',
  '.npmrc',
  '.password-store',
  '.pypirc',
  '.ssh',
]

import { userInfo } from 'node:os'
import { isAbsolute } from 'node:path'

/** The user's home folder, from `HOME` or else from the system. A relative `HOME` is ignored. */
export function homeDirectory({ HOME }: Readonly<Record<string, string | undefined>>): string {
  if (HOME && isAbsolute(HOME)) return HOME
  try {
    return userInfo().homedir
  } catch {
    return '/' // The system has no entry for this user, as in some containers.
  }
}

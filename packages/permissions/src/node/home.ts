import { userInfo } from 'node:os'
import { isAbsolute } from 'node:path'

/** A person's home: as the environment says, or else the system. Nobody's home is a folder that one happens to be in. */
export function homeDirectory({ HOME }: Readonly<Record<string, string | undefined>>): string {
  if (HOME && isAbsolute(HOME)) return HOME
  try {
    return userInfo().homedir
  } catch {
    return '/' // The system does not know this user, as in some containers.
  }
}

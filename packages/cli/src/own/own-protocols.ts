import {
  isInside,
  loadSettings,
  userDirectories,
  type PathText,
  resolvePath,
} from '@toolglot/workspace'
import { CommandError } from '../command-error.ts'
import { showProblem } from '../show/settings.ts'
import { quote } from '../show/visible.ts'
import type { Terminal } from '../terminal.ts'
import { warn } from '../warn.ts'
import { importFile } from './import-file.ts'
import { protocolsIn, type OwnProtocol } from './protocols-in.ts'
import { realFile, trustedFile } from './trusted-file.ts'

/** The protocols in a file that a person names. */
export async function protocolsOfFile(path: string, terminal: Terminal): Promise<OwnProtocol[]> {
  const file = trustedFile(path, terminal)
  return protocolsIn(await importFile(file), file)
}

/** The protocols that settings name: those of a folder only once it is trusted. */
export async function protocolsOfSettings(terminal: Terminal): Promise<OwnProtocol[]> {
  const directories = userDirectories(terminal.env)
  const { folder, trust, settings } = loadSettings(terminal.cwd, { directories })
  for (const note of [...settings.problems, ...settings.warnings]) warn(showProblem(note), terminal)
  if (settings.withheld.protocols.length > 0) {
    const why = trust === 'changed' ? 'what you trusted has changed' : 'you do not trust it yet'
    warn(`the protocols of ${quote(folder)} are not loaded: ${why}. See toolglot trust`, terminal)
  }
  const all: OwnProtocol[] = []
  for (const named of settings.protocols) {
    const file = fileOf(named, directories.home)
    all.push(...protocolsIn(await importFile(file), file))
  }
  return all
}

/** Where a file is that settings name. Those that come with a folder name what is in it, and nothing else. */
function fileOf({ path, source }: PathText, home: string): string {
  const { root = home, scope } = source
  const file = realFile(resolvePath(path, root, home))
  if ((scope === 'project' || scope === 'local') && !isInside(file, root)) {
    throw new CommandError('data', {
      expected: `a file in ${quote(root)}`,
      got: `${quote(path)}, which leads out of it`,
      advice: `correct ${quote(source.file ?? '')}`,
    })
  }
  return file
}

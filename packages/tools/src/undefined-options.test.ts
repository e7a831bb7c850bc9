import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'
import type { Unset } from '../../../tests/helpers/unset.ts'
import { contextOf } from '../test/workspace.ts'
import { createTools, type ToolsOptions } from './create-tools.ts'
import { nodeHost, type NodeHostOptions } from './node/host.ts'
import type { NodeLanguageOptions } from './node/language.ts'
import type { NodeWebOptions } from './node/web/web.ts'

const ofTools: Unset<ToolsOptions> = {
  ...{ aliases: undefined, testCommand: undefined, extractor: undefined, provider: undefined },
}
const language: Unset<NodeLanguageOptions> = {
  ...{ trusted: undefined, servers: undefined, limits: undefined },
}
const web: Unset<NodeWebOptions> = {
  ...{ lookUp: undefined, userAgent: undefined, markdown: undefined },
}
const ofHost: Unset<NodeHostOptions> = {
  ...{ cwd: undefined, fileSystem: undefined, storage: undefined, ask: undefined, web: undefined },
  ...{ language: undefined, environment: undefined, keep: undefined, sandbox: undefined },
  ...{ silence: undefined, shown: undefined, logged: undefined, maxTasks: undefined },
}

test('treats undefined options of a host and its tools as missing', async () => {
  const cwd = folderOf()
  const usual = nodeHost({ cwd })
  const host = nodeHost({ ...ofHost, cwd, web, language })
  try {
    expect(host.fileSystem.roots).toEqual(usual.fileSystem.roots)
    const tools = createTools(host, ofTools)
    expect([...tools.keys()]).toEqual([...createTools(usual).keys()])
    const made = async (name: string, args: object): Promise<unknown> =>
      tools.get(name)!.execute(args as never, contextOf({ run: 'a' }))
    expect(await made('Bash', { command: 'echo hi' })).toMatchObject({ exit_code: 0 })
    await made('Write', { file_path: join(cwd, 'a.txt'), content: 'hi\n' })
    expect(await made('Read', { file_path: join(cwd, 'a.txt') })).toMatchObject({ total_lines: 1 })
  } finally {
    await Promise.all([host.close(), usual.close()])
  }
})

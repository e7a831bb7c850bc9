import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { arrow } from '../../test/arrow.ts'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { runInShell } from '../../test/spawn-command.ts'
import { startCommand } from '../../test/start-command.ts'
import { talkingServer } from '../../test/talking-server.ts'

// Some tests start the built command several times.
vi.setConfig({ testTimeout: 60_000 })

describe('--settings', () => {
  test('also applies to the model', async () => {
    const { model } = await talkingServer('Yes.')
    const cwd = folderOf({ 'more.json': JSON.stringify({ model }) })
    const env = { HOME: folderOf() }
    const words = ['run', '--settings', 'more.json', 'Are you there?']
    expect(await startCommand(words, { cwd, env })).toMatchObject({ code: 0, output: 'Yes.\n' })
  })

  test('applies to models and config as it does to run', async () => {
    const model = 'http://127.0.0.1:9/v1#mine'
    const cwd = folderOf({ 'more.json': JSON.stringify({ model }) })
    const env = { HOME: folderOf(), OLLAMA_HOST: 'http://127.0.0.1:9' }
    const models = await startCommand(['models', '--settings', 'more.json', '--json'], { cwd, env })
    expect(JSON.parse(models.output)).toMatchObject({ choice: { reference: model } })
    const config = ['config', 'get', 'model', '--settings', 'more.json']
    expect(await startCommand(config, { cwd, env })).toMatchObject({ output: `${model}\n` })
  })

  test.each(['tools', 'models', 'doctor', 'protocols', 'config', 'parse', 'permit', 'run'])(
    '%s accepts it along with --cwd and --import-claude',
    async (command) => {
      const { output } = await startCommand([command, '--help'])
      for (const flag of ['--settings <file>', '--cwd <folder>', '--import-claude'])
        expect(output).toContain(flag)
    },
  )
})

describe('--cwd', () => {
  const tool = `
import { ToolError } from '@toolglot/agent'
export default {
  name: 'get_weather',
  description: 'Returns the weather in a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  execute({ city }) {
    if (city === 'Atlantis') throw new ToolError('not_found', 'It sank.')
    return city + ': clear'
  },
}`
  const files = {
    'reply.txt': '=> ping {} <=',
    'own/arrow.mjs': arrow,
    'own/my-tool.mjs': tool,
    'own/package.json': '{"version": "1.2.3"}',
    'own/.toolglot/settings.json': JSON.stringify({
      protocols: ['./arrow.mjs'],
      tools: ['./my-tool.mjs'],
      permissions: { allow: ['get_weather'] },
    }),
  }

  test('applies to custom protocols', async () => {
    const { code, output, errors } = await runInShell(
      `toolglot parse --cwd own -p arrow --json reply.txt &&
        toolglot run --cwd own -m script -p arrow --json 'What version is in package.json?' | tail -1`,
      { files, trust: ['own'] },
    )
    expect({ code, errors }).toMatchObject({ code: 0 })
    expect(output).toContain('"protocol": "arrow"')
    expect(output).toContain('1.2.3')
  })

  test('does not apply to files on the command line', async () => {
    const { code, output, errors } = await runInShell(
      `toolglot parse --cwd own -p ./own/arrow.mjs --json reply.txt &&
        toolglot protocols --cwd own --check own/arrow.mjs && toolglot run --cwd own -m script \\
        -p ./own/arrow.mjs --json 'What version is in package.json?' | tail -1`,
      { files, trust: ['own'] },
    )
    expect({ code, errors }).toMatchObject({ code: 0 })
    expect(output).toContain('"protocol": "arrow"')
    expect(output).toContain('All laws hold.')
    expect(output).toContain('1.2.3')
  })

  test("applies to the user's own tools, once the folder is trusted", async () => {
    const { output, errors } = await runInShell(
      `toolglot exec --cwd own get_weather '{"city": "Hanoi"}'; toolglot trust own --yes >&2
        toolglot exec --cwd own get_weather '{"city": "Hanoi"}'
        toolglot exec --cwd own get_weather '{"city": "Atlantis"}'
        toolglot tools --cwd own | grep get_weather`,
      { files },
    )
    expect(output).toMatch(/^Hanoi: clear\n +get_weather +\{city\}\n$/)
    expect(errors).toMatch(/are not trusted.+loaded and run:.+my-tool\.mjs.+It sank\./s)
  })

  test('does not let code import untrusted files', async () => {
    const { output, errors } = await runInShell(
      `for file in computed data url; do
        cp $file.mjs own/my-tool.mjs; toolglot trust own --yes > /dev/null
        toolglot tools --cwd own > /dev/null || echo refused; done; ls own`,
      {
        files: {
          ...files,
          'own/sky.mjs': "import { writeFileSync } from 'node:fs'\nwriteFileSync('own/loaded', '')",
          'computed.mjs': "const sky = 'sky'\nawait import(`./${sky}.mjs`)\nexport default 1",
          'data.mjs': "await import('data:text/javascript,1')\nexport default 1",
          'url.mjs': "await import(new URL('./sky.mjs', import.meta.url).href)\nexport default 1",
        },
      },
    )
    expect(output).toMatch(/^(refused\n){3}(?!.*loaded)/s)
    expect(errors.match(/which was not trusted with it/g)).toHaveLength(3)
  })

  test('reports a folder that does not exist', async () => {
    const cwd = folderOf()
    const { code, errors } = await startCommand(['models', '--cwd', 'nowhere'], { cwd })
    expect(code).toBe(1)
    expect(errors).toContain(join(cwd, 'nowhere'))
  })
})

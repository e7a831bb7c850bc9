import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CodePlace, LanguageTopics, LanguageTopic, LanguageAnswer } from '../host/language.ts'
import type { ServerDefinition } from '../lsp/servers.ts'
import { lives } from '../../test/machine.ts'
import { createProject, type Project } from '../../test/project.ts'
import { failureOf } from '../../test/web-server.ts'
import type { NodeHostOptions } from './host.ts'
import { until } from '../../../../tests/helpers/until.ts'
import { longTest, share } from '../../../../tests/helpers/size.ts'

const program = fileURLToPath(
  new URL('../../test/fixtures/fake-language-server.mjs', import.meta.url),
)

interface Fake extends Project {
  readonly place: CodePlace
  readonly ask: <Topic extends LanguageTopic>(
    topic: Topic,
    signal?: AbortSignal,
  ) => Promise<LanguageAnswer<LanguageTopics[Topic]>>
}

/** A project whose only language server is a fake. */
function fake(
  behaviour: string,
  language: NodeHostOptions['language'] = {},
  options: (root: string) => Partial<NodeHostOptions> = () => ({}),
): Fake {
  const server: ServerDefinition = {
    name: 'fake',
    command: [process.execPath, program, behaviour, 'heard.txt'],
    languages: { '.fake': 'fake' },
    install: 'it is here',
  }
  const text = 'a\n'
  const project = createProject({ 'a.fake': text }, (root) => ({
    ...options(root),
    language: { servers: [server], ...language },
  }))
  onTestFinished(() => project.close())
  const place = { path: join(project.root, 'a.fake'), text, position: { line: 0, character: 0 } }
  return {
    ...project,
    place,
    ask: (topic, signal = new AbortController().signal) =>
      project.host.language!.ask(topic, place, { signal }),
  }
}

describe('a server that is loading the project', () => {
  test('is queried again after loading', async () => {
    const { ask } = fake('loading')
    expect(await ask('hover')).toEqual({ value: 'Known.', server: 'fake' })
  })

  longTest('does not delay the answer forever; the answer is marked as loading', async () => {
    const { ask } = fake('loading-forever', { limits: { load: 300 } })
    expect(await ask('hover')).toEqual({ value: '', server: 'fake', loading: true })
  })
})

describe('a server that fails', () => {
  test('is restarted, but not after four failures', async () => {
    const { ask, host, place } = fake('crashes')
    for (let time = 1; time <= 4; time++) {
      const failure = await failureOf(ask('hover'))
      expect(failure.message).toMatch(/fake exited with code 7: out of ideas.+restarts it/)
      await until(() => !host.language!.isRunning(place.path))
    }
    const failure = await failureOf(ask('hover'))
    expect(failure.message).toMatch(/failed too often.+exited with code 7: out of ideas.+Use Grep/)
    expect(failure.details).toMatchObject({ code: 'server_broken' })
  })

  longTest('during startup', async () => {
    const { ask } = fake('dies-at-once')
    for (let time = 1; time <= 4; time++)
      expect((await failureOf(ask('hover'))).message).toMatch(/failed to start.+no licence/)
    expect((await failureOf(ask('hover'))).details).toMatchObject({ code: 'server_broken' })
  })

  longTest('because it does not start', async () => {
    const { ask, servers } = fake('never-starts', { limits: { start: 200 } })
    expect((await failureOf(ask('hover'))).message).toMatch(/failed to start.+in 200 ms/)
    expect(servers()).toEqual([])
  })

  test('because it does not answer', async () => {
    const { ask } = fake('hangs', { limits: { answer: 2000 } })
    const failure = await failureOf(ask('hover'))
    expect(failure.errorType).toBe('timeout')
    expect(failure.message).toMatch(/fake did not answer in 2000 ms/)
    expect((await ask('definition')).value).toHaveLength(1)
  })

  const bad: [behaviour: string, message: RegExp][] = [
    ['too-long', /a message of 99999999999 bytes, which is too large/],
    ['no-message', /output other than messages/],
  ]
  test.each(share(bad, 2))('with its messages: %s', async (behaviour, message) => {
    const { ask, servers } = fake(behaviour)
    expect((await failureOf(ask('hover'))).message).toMatch(message)
    await until(() => servers().length === 0)
  })

  longTest('with malformed answers, which are ignored', async () => {
    const { ask } = fake('odd')
    expect((await ask('symbolsNamed')).value).toEqual([])
    expect((await ask('symbols')).value).toEqual([
      expect.objectContaining({ name: 'x', kind: 'symbol' }),
    ])
    expect((await ask('references')).value).toEqual([])
    expect((await ask('callers')).value).toEqual([])
  })
})

describe('a call that is cancelled', () => {
  test('ends immediately, and the server is notified', async () => {
    const { ask, root } = fake('hangs')
    await ask('definition')
    const stop = new AbortController()
    const asked = ask('hover', stop.signal)
    const isHeard = (what: string): boolean => {
      const heard = join(root, 'heard.txt')
      return existsSync(heard) && readFileSync(heard, 'utf8') === what
    }
    await until(() => isHeard('asked'))
    stop.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
    await until(() => isHeard('cancelled'))
    expect((await ask('definition')).value).toHaveLength(1)
  })

  test('ends while the server starts', async () => {
    const { ask, host, servers } = fake('never-starts')
    const stop = new AbortController()
    const asked = ask('hover', stop.signal)
    await until(() => servers().length > 0)
    stop.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
    const started = servers()
    await host.close()
    expect(started.filter(({ pid }) => lives(pid))).toEqual([])
  })
})

test('waits for published diagnostics, and ignores those of an older version', async () => {
  const { ask } = fake('push')
  expect((await ask('diagnostics')).value).toMatchObject([
    { severity: 'error', message: 'of this version' },
  ])
})

longTest('missing diagnostics do not mean that there are no errors', async () => {
  const { ask } = fake('fine', { limits: { answer: 2000 } })
  const failure = await failureOf(ask('diagnostics'))
  expect(failure.message).toMatch(/fake published no diagnostics for the file in 2000 ms/)
  expect((await ask('actions')).value).toEqual([])
})

test('does not let a server edit files, and gives it only existing settings', async () => {
  const { ask } = fake('asks')
  expect(JSON.parse((await ask('hover')).value)).toEqual({
    edit: { applied: false, failureReason: 'Servers may not edit files here.' },
    settings: [null, null],
    folders: 1,
  })
})

test('gives a server neither secrets nor programs from the workspace', async () => {
  const { ask } = fake('environment', {}, (root) => ({
    environment: {
      PATH: `/usr/bin:relative:${root}/node_modules/.bin:/bin`,
      GITHUB_TOKEN: 'ghp_0123456789abcdefghij',
      LANG: 'C',
    },
  }))
  const seen = JSON.parse((await ask('hover')).value) as Record<string, string>
  expect(seen).toMatchObject({ LANG: 'C', PATH: '/usr/bin:/bin' })
  expect(seen).not.toHaveProperty('GITHUB_TOKEN')
})

describe('a server inside the workspace', () => {
  const files = {
    'a.own': 'a\n',
    'b.builds': 'b\n',
    'node_modules/.bin/own': `#!/bin/sh\ntouch ran\nexec ${process.execPath} ${program} fine\n`,
  }
  const servers: readonly ServerDefinition[] = [
    { name: 'own', command: ['own'], languages: { '.own': 'own' }, install: 'buy it' },
    {
      name: 'builds',
      command: [process.execPath, program, 'fine'],
      languages: { '.builds': 'builds' },
      runsProject: true,
      install: 'build it',
    },
  ]

  function own(trusted: boolean): Project {
    const project = createProject(files, (root) => ({
      environment: { PATH: `/usr/bin:/bin:${root}/node_modules/.bin` },
      language: { servers, trusted },
    }))
    onTestFinished(() => project.close())
    chmodSync(join(project.root, 'node_modules/.bin/own'), 0o755)
    return project
  }

  const ask = ({ host, root }: Project, name: string): Promise<unknown> =>
    host.language!.ask(
      'hover',
      { path: join(root, name), text: 'a', position: { line: 0, character: 0 } },
      { signal: new AbortController().signal },
    )

  test('is not run unless the folder is trusted', async () => {
    const untrusted = own(false)
    const failure = await failureOf(ask(untrusted, 'a.own'))
    expect(failure.message).toMatch(/is in the workspace, which is not trusted.+buy it/)
    expect(failure.details).toMatchObject({ code: 'no_server' })
    expect(existsSync(join(untrusted.root, 'ran'))).toBe(false)
    const building = await failureOf(ask(untrusted, 'b.builds'))
    expect(building.message).toMatch(
      /runs code of the project, so the folder must be trusted first/,
    )
  })

  test('is run in a trusted folder', async () => {
    const trusted = own(true)
    expect(await ask(trusted, 'a.own')).toMatchObject({ value: 'Known.' })
    expect(existsSync(join(trusted.root, 'ran'))).toBe(true)
    expect(await ask(trusted, 'b.builds')).toMatchObject({ server: 'builds' })
  })
})

test('explains how to install a missing server', async () => {
  const project = createProject({ 'a.go': 'package a\n' }, () => ({
    environment: { PATH: '/nowhere' },
  }))
  onTestFinished(() => project.close())
  const place = { path: join(project.root, 'a.go'), text: 'package a\n' }
  const asked = project.host.language!.ask('symbols', place, {
    signal: new AbortController().signal,
  })
  const failure = await failureOf(asked)
  expect(failure.errorType).toBe('not_found')
  expect(failure.message).toMatch(
    /gopls is not on the PATH; to install it: go install .+gopls@latest/,
  )
})

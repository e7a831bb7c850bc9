import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import {
  type ServeProcess,
  serveProcess,
  type ServeProcessOptions,
} from '../../packages/cli/test/serve-process.ts'
import { chromiumPath } from './chromium.ts'
import { type Script, scriptedModel, type ScriptedModel } from './scripted-model.ts'

let launched: Promise<Browser> | undefined

/** A real browser, the same one for all tests of a process, and closed with it. */
export function browser(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: chromiumPath,
    // Its own arguments would turn off what protects pages from each other.
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    headless: true,
  })
  return launched
}

/** How a page is opened. */
export interface PageOptions extends ServeProcessOptions {
  /** What the model writes. */
  readonly script?: Script
  /** The name of the model, which implies its protocol. */
  readonly modelName?: string
  readonly browser?: BrowserContextOptions
}

/** The page, its server, and the scripted model behind it. */
export interface OpenPage {
  readonly page: Page
  readonly server: ServeProcess
  readonly model: ScriptedModel
  /** Opens another tab or browser that is logged in. It is watched like the first. */
  readonly open: (options?: BrowserContextOptions) => Promise<Page>
  /** Problems that a test causes on purpose: they do not fail it. */
  readonly expectProblem: (pattern: RegExp) => void
}

/**
 * Starts the built command with a scripted model, and opens its page, logged in. When the test is over, the page must have
 * logged no error, broken no rule of its policy, and asked nobody but its server for anything.
 */
export async function openPage({
  script = () => 'Done.',
  modelName,
  browser: contextOptions,
  ...options
}: PageOptions = {}): Promise<OpenPage> {
  const model = await scriptedModel(script)
  const server = await serveProcess({ model: model.reference(modelName), ...options })
  const problems: string[] = []
  const expected: RegExp[] = []
  const contexts: BrowserContext[] = []
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await report(contexts)
    await Promise.all(contexts.map((context) => context.close()))
    expect(problems.filter((problem) => !expected.some((each) => each.test(problem)))).toEqual([])
  })

  const open: OpenPage['open'] = async (more = {}) => {
    const context = await (
      await browser()
    ).newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-US',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      ...contextOptions,
      ...more,
    })
    contexts.push(context)
    watch(context, server.url, problems)
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    // A page that leaves before it has logged in has used up its link for nothing.
    const login = page.waitForResponse((response) => response.url() === `${server.url}/api/login`)
    await page.goto(await freshLink(server))
    await login
    await page.waitForFunction(() => document.querySelector('#root > *') !== null)
    return page
  }
  return {
    page: await open(),
    server,
    model,
    open,
    expectProblem: (pattern) => void expected.push(pattern),
  }
}

/** Prints what the pages of a test that failed show. */
async function report(contexts: readonly BrowserContext[]): Promise<void> {
  for (const page of contexts.flatMap((context) => context.pages()))
    console.log(`${page.url()}\n${await page.locator('body').ariaSnapshot()}`)
}

const used = new WeakMap<ServeProcess, string>()

/** A link logs in once: the first is the one that the server printed. */
async function freshLink(server: ServeProcess): Promise<string> {
  const printed = server.link()
  if (used.get(server) !== printed) {
    used.set(server, printed)
    return printed
  }
  return (await server.command('token', '--link')).trim()
}

/** Collects what goes wrong in a page, and every request to somebody else. */
function watch(context: BrowserContext, origin: string, problems: string[]): void {
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      problems.push(`${message.type()}: ${message.text()}`)
  })
  context.on('weberror', (error) => problems.push(`thrown: ${error.error().stack}`))
  context.on('dialog', (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  // A page that another page opens; those of tests have no opener.
  context.on('page', (page) => {
    page.on('popup', (popup) => problems.push(`a window: ${popup.url()}`))
  })
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith('blob:'))
      problems.push(`a request to ${url}`)
  })
}

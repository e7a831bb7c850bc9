import { type Model, ModelError } from '@toolglot/agent'
import {
  type ModelChoice,
  chooseModel,
  connectModel,
  findModels,
  type FoundModels,
  type SavedModel,
} from '@toolglot/agent/models'
import {
  comesWithFolder,
  loadSettings,
  userDirectories,
  modelKey,
  paidProvidersKey,
  settingValues,
  type Settings,
} from '@toolglot/workspace'
import { changeSettings } from '../change-settings.ts'
import { CommandError } from '../command-error.ts'
import { DEMO } from '../demo/demo-model.ts'
import { visibleLine } from '../show/visible.ts'
import type { Terminal } from '../terminal.ts'
import { realFolder } from './folder.ts'

export interface ChosenModel {
  readonly model: Model
  readonly reference: string
  /** Why this one, in words. */
  readonly why: string
}

export interface ChooseOptions {
  /** What the person named. */
  readonly named?: string | undefined
  readonly cwd?: string
  readonly signal?: AbortSignal
}

/** The model that a command uses: the one that is named, or the one that is found; undefined, and why, where there is none. */
export async function chosenModel(
  terminal: Terminal,
  { named, cwd = terminal.cwd, signal }: ChooseOptions = {},
): Promise<ChosenModel | { readonly model: undefined; readonly why: string }> {
  const { env } = terminal
  const connect = async (reference: string, why: string, more: object): Promise<ChosenModel> => ({
    model: await connectModel(reference, { env, ...(signal && { signal }), ...more }),
    reference,
    why,
  })
  return tellUser(async () => {
    const own = { key: env['TOOLGLOT_API_KEY'] }
    if (named !== undefined) return connect(named, 'you named it', own)
    const { found, choice, saved } = await lookForModels(terminal, {
      cwd,
      ...(signal && { signal }),
    })
    if (choice.reference === undefined) return { model: undefined, why: choice.why }
    if (choice.costs) await agree(choice, terminal)
    // A key of the person's goes nowhere that a folder's settings name.
    const isFolder = found.named === undefined && saved !== undefined && isOfFolder(saved)
    return connect(choice.reference, choice.why, { found, ...(!isFolder && own) })
  })
}

/** What is found, and what would be chosen. */
export async function lookForModels(
  { env, cwd: here }: Terminal,
  { cwd = here, signal }: ChooseOptions = {},
): Promise<{ found: FoundModels; choice: ModelChoice; saved: SavedModel | undefined }> {
  const { settings } = loadSettings(realFolder(cwd), { directories: userDirectories(env) })
  const [said] = settingValues(settings, modelKey)
  const saved = said && { reference: said.value, scope: said.source.scope }
  const { TOOLGLOT_MODEL, ...others } = env
  // The script is none of those that are looked for.
  const found = await findModels({
    env: TOOLGLOT_MODEL?.trim() === DEMO ? others : env,
    saved,
    signal,
  })
  return { found, choice: chooseModel(found, { paid: paidIn(settings) }), saved }
}

/** Fails as a command does where a reference or a model does. */
export async function tellUser<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    // A reference that is none, a key that is missing, a server that fails: all say what to do.
    if (!(error instanceof TypeError || error instanceof ModelError)) throw error
    const code = error instanceof TypeError ? 'usage' : 'data'
    throw new CommandError(code, visibleLine(error.message))
  }
}

async function agree(
  { reference, costs }: ModelChoice & { readonly reference: string; readonly costs?: object },
  terminal: Terminal,
): Promise<void> {
  const { ask, env } = terminal
  const { provider, name } = costs as { provider: string; name: string }
  const question = `${name} costs money. Use ${reference}? You are asked once. [y/N] `
  const answer = (await ask?.(question)) ?? ''
  if (!/^y(es)?$/i.test(answer.trim())) {
    throw new CommandError('data', {
      expected: `a yes to ${name}, which costs money`,
      got: ask ? 'no' : 'nobody to ask',
      advice: `toolglot models use ${reference} says it for good`,
    })
  }
  const directories = userDirectories(env)
  const { settings } = loadSettings(directories.home, { directories })
  const before = settingValues(settings, paidProvidersKey).find(
    ({ source }) => source.scope === 'user',
  )
  changeSettings('paidProviders', [...(before?.value ?? []), provider], terminal)
}

function paidIn(settings: Settings): string[] {
  return settingValues(settings, paidProvidersKey).flatMap(({ value }) => value)
}

function isOfFolder({ scope }: { readonly scope: SavedModel['scope'] }): boolean {
  return comesWithFolder({ scope } as Parameters<typeof comesWithFolder>[0])
}

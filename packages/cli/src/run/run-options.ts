// Folder: A run started from the command line, and its options.
import { type RunOptions, Unanswered } from '@toolglot/agent'
import {
  type ChosenModel,
  prepareRun,
  rememberAllowed,
  type RunSetup,
  type Workspace,
} from '@toolglot/workspace'
import { isYes, visibleLine } from '@toolglot/workspace/internal'
import type { RunFlags } from '../commands/run-flags.ts'
import { approveAtKeyboard } from '../person/approve.ts'
import { askAtKeyboard } from '../person/ask-questions.ts'
import type { Keyboard, PromptQueue } from '../person/keyboard.ts'
import type { RunView } from '../show/run/run-view.ts'
import { colorsOf, columnsOf, type Screen, type Terminal, warn } from '../terminal.ts'

/** Controls answers from elsewhere, and whether the process waits for them. */
export interface WaitingFlags {
  readonly attended?: true
  readonly suspend?: true
}

/**
 * Opens the resources for the flags of a run, and closes them after use. A signal while closing
 * kills the process.
 */
export async function withSetup(
  { workspace, flags, stop, terminal }: SetupContext,
  use: (setup: RunSetup) => Promise<void>,
): Promise<void> {
  const setup = await prepareRun(workspace, {
    system: flags.system,
    only: flags.tools === false ? [] : flags.tools,
    signal: stop.signal,
    warn: (text) => warn(visibleLine(text), terminal),
  })
  try {
    await use(setup)
  } finally {
    stop.forget()
    await setup.close()
  }
}

interface SetupContext {
  readonly workspace: Workspace
  readonly flags: Pick<RunFlags, 'system' | 'tools'>
  readonly stop: { readonly signal: AbortSignal; forget(): void }
  readonly terminal: Terminal
}

/** The inputs for a run's options. */
export interface RunContext {
  readonly setup: RunSetup
  readonly chosen: ChosenModel
  readonly flags: Pick<RunFlags, 'maxTurns' | 'interactive' | 'temperature' | 'acceptChanges'> &
    WaitingFlags
  readonly view: Pick<RunView, 'ask'>
  readonly promptQueue: PromptQueue
  /** Undefined if there is no user to ask. */
  readonly keyboard: Keyboard | undefined
  /** The screen for questions to the user. */
  readonly screen: Screen
  readonly env: Terminal['env']
  readonly signal: AbortSignal
}

/** The options of a run, except its id and its prompt. */
export function runOptions(options: RunContext): RunOptions {
  const { setup, chosen, flags, promptQueue, screen, env, signal, view } = options
  const { tools, fileSystem, permissions, journal, systemFor, untrusted, limits } = setup
  const { model, protocol } = chosen
  const { temperature = setup.temperature } = flags
  const keyboard = flags.interactive ? options.keyboard : undefined
  return {
    model,
    tools,
    fileSystem,
    permissions,
    journal,
    system: systemFor(model.contextTokens).text,
    untrusted,
    signal,
    ...storedIn(setup),
    ...(protocol && { protocol }),
    ...(temperature !== undefined && { temperature }),
    limits: {
      ...limits,
      ...(flags.maxTurns !== undefined && { maxIterations: flags.maxTurns }),
    },
    ...askedBy(
      keyboard && personOf(keyboard, { setup, promptQueue, screen, env, signal, view }),
      flags,
    ),
    ...(flags.acceptChanges && { confirm: async () => true }),
  }
}

/** The source of approvals: a person elsewhere, the user at the keyboard, or none. */
function askedBy(
  person: Person | undefined,
  { attended, suspend }: WaitingFlags,
): Partial<Person> & Pick<RunOptions, 'attended' | 'onWait'> {
  if (!attended && !suspend) return person ?? { ask: nobody }
  return {
    attended: true,
    onWait: suspend ? ('suspend' as const) : undefined,
    confirm: person?.confirm,
  }
}

type Person = Required<Pick<RunOptions, 'approve' | 'ask' | 'confirm'>>

/** Saves rules that the user allows beyond the run. */
function storedIn({
  workspace,
}: Pick<RunSetup, 'workspace'>): Required<Pick<RunOptions, 'remember'>> {
  return {
    remember: async (allowed, scope) => void (await rememberAllowed(workspace, allowed, scope)),
  }
}

function personOf(
  keyboard: Keyboard,
  {
    setup: { tools, workspace },
    promptQueue,
    screen,
    env,
    signal,
    view,
  }: Pick<RunContext, 'setup' | 'promptQueue' | 'screen' | 'env' | 'signal' | 'view'>,
): Person {
  const colors = colorsOf(screen, env)
  const approve = approveAtKeyboard({
    keyboard,
    colors,
    columns: columnsOf(screen),
    tools,
    // Rules in an untrusted folder would have no effect.
    stores: workspace.trust === 'trusted' ? ['folder', 'user'] : ['user'],
  })
  const ask = askAtKeyboard({ keyboard, colors })
  return {
    approve: (request, stop) =>
      promptQueue.enqueue(request.hash, () => view.ask(request.call, () => approve(request, stop))),
    ask: (questions, signal) => promptQueue.enqueue(questions, () => ask(questions, signal)),
    // The warning before this question describes the changes.
    confirm: () =>
      promptQueue.enqueue('changed', async () => {
        const answer = await keyboard.ask('Continue? [y/N] ', signal)
        return isYes(answer)
      }),
  }
}

async function nobody(): Promise<never> {
  throw new Unanswered('No user is available to ask. Decide yourself, and state your assumptions.')
}

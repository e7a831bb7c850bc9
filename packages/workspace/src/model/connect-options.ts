import { type ConnectOptions, findModels, type FoundModels } from '@toolglot/agent/models'
import { patientFetch } from '@toolglot/agent/node'
import { context, keepAlive, thinking } from '../settings/keys/model.ts'
import { type SettingsKey, settingValues } from '../settings/keys/key.ts'
import type { Workspace } from '../workspace.ts'
import { workspaceModelKinds } from './model-kinds.ts'

/** How a model is connected to in a workspace, as its settings say. */
export function connectOptions(
  { env, folder, trust, settings }: Pick<Workspace, 'env' | 'folder' | 'trust' | 'settings'>,
  namedBy: 'person' | 'folder',
): ConnectOptions {
  const value = <Value>(key: SettingsKey<Value>): Value | undefined =>
    settingValues(settings, key)[0]?.value
  return {
    env,
    fetch: patientFetch,
    kinds: workspaceModelKinds,
    cwd: folder,
    home: env['HOME'],
    namedBy,
    isTrusted: trust === 'trusted',
    context: value(context),
    thinking: value(thinking),
    keepAlive: value(keepAlive),
    // A person's key is never sent to a server that a folder's settings name.
    key: namedBy === 'person' ? env['TOOLGLOT_API_KEY'] : undefined,
  }
}

/** The servers that run, if only they can tell what a name means: `qwen3:8b`, or `openai/gpt-oss-20b` in LM Studio. */
export async function serversFor(
  name: string,
  { env }: Pick<Workspace, 'env'>,
  signal?: AbortSignal,
): Promise<FoundModels | undefined> {
  const kind = workspaceModelKinds.find((each) => each.matches(name.trim()))
  return kind && !kind.isPaid ? undefined : findModels({ env, signal })
}

import type { ToolCallConfig } from './tool-call-config.ts'

/** A configuration over another one. Toggles and presets are merged by name; what is undefined is inherited. */
export function mergeConfig(base: ToolCallConfig, own: ToolCallConfig): ToolCallConfig {
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  const { toolToggles, presets } = own
  return {
    ...base,
    ...given,
    ...(toolToggles && { toolToggles: { ...base.toolToggles, ...toolToggles } }),
    ...(presets && { presets: mergePresets(base.presets ?? {}, presets) }),
  }
}

type Presets = NonNullable<ToolCallConfig['presets']>

function mergePresets(base: Presets, own: Presets): Presets {
  const names = [...new Set([...Object.keys(base), ...Object.keys(own)])]
  return Object.fromEntries(names.map((name) => [name, { ...at(base, name), ...at(own, name) }]))
}

function at(presets: Presets, name: string): Presets[string] {
  return Object.hasOwn(presets, name) ? presets[name]! : {}
}

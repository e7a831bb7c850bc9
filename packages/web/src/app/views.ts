import type { IconName } from '../ui/icon.tsx'
import type { Key } from '../words/words.ts'

/** A view that can be opened from the sidebar, the tabs on phones, the palette and keys. */
export interface View {
  readonly to:
    | '/chat'
    | '/tools'
    | '/sandbox'
    | '/parser'
    | '/runs'
    | '/statistics'
    | '/gateway'
    | '/settings/{-$page}'
  readonly label: Key
  readonly icon: IconName
  readonly keys: string
  /** Matches the paths of the view. */
  readonly paths: RegExp
  /** Has its own tab on phones; the other views share one. */
  readonly hasTab?: boolean
}

/** The views, in display order. */
export const VIEWS: readonly View[] = [
  {
    to: '/chat',
    label: 'view.chat',
    icon: 'chat',
    keys: 'g c',
    paths: /^\/chats?(?:\/|$)/,
    hasTab: true,
  },
  {
    to: '/tools',
    label: 'view.tools',
    icon: 'tools',
    keys: 'g t',
    paths: /^\/tools$/,
    hasTab: true,
  },
  { to: '/sandbox', label: 'view.sandbox', icon: 'sandbox', keys: 'g s', paths: /^\/sandbox$/ },
  {
    to: '/parser',
    label: 'view.parser',
    icon: 'parser',
    keys: 'g p',
    paths: /^\/parser$/,
    hasTab: true,
  },
  {
    to: '/runs',
    label: 'view.runs',
    icon: 'runs',
    keys: 'g r',
    paths: /^\/runs(?:\/|$)/,
    hasTab: true,
  },
  {
    to: '/statistics',
    label: 'view.statistics',
    icon: 'stats',
    keys: 'g a',
    paths: /^\/statistics$/,
  },
  { to: '/gateway', label: 'view.gateway', icon: 'plug', keys: 'g w', paths: /^\/gateway$/ },
  {
    to: '/settings/{-$page}',
    label: 'view.settings',
    icon: 'settings',
    keys: 'g ,',
    paths: /^\/settings(?:\/|$)/,
  },
]

import type { IconName } from '../ui/icon.tsx'
import type { Key } from '../words/words.ts'

/** A view that the side bar, the tabs of a phone, the palette and the keys lead to. */
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
  /** The paths of its addresses. */
  readonly paths: RegExp
  /** On a phone it has a tab of its own; the others are under one. */
  readonly hasTab?: boolean
}

/** The views, in order. */
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

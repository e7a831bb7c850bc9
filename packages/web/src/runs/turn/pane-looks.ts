/** The look of a pane about a turn: its prompt, its reply, or a call. */
export const TURN_PANE =
  'turn-pane flex min-h-0 min-w-0 flex-col gap-2 px-4 pb-4 not-first:border-l not-first:border-line phone:not-first:border-t phone:not-first:border-l-0 [&_.wire]:min-h-15 [&_.wire]:overflow-auto phone:[&_.wire]:max-h-[70vh]'
export const PANE_HEAD =
  'flex min-h-[38px] min-w-0 flex-none items-center gap-2 pt-[9px] text-12 *:whitespace-nowrap'
export const PANE_TITLE = 'min-w-[60px] truncate font-580'
/** The end of the head of a pane, where there is room. */
export const PANE_END = 'ml-auto text-ink-3 tablet:hidden'

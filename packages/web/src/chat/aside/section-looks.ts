/** The look of a section beside the conversation. */
export const SECTION = 'grid gap-[9px] border-line px-3.5 pt-3 pb-3.5'
export const SECTION_TITLE = 'flex items-center gap-2 text-12 font-580'
/** The end of the title. */
export const SECTION_END = 'ml-auto flex items-center gap-1.5 font-400 text-ink-3'

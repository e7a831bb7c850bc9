/** Classes of a note about a drawn protocol. */
export const NOTE = 'flex gap-2 rounded-md bg-ask-bg px-2.5 py-2 wrap-anywhere text-ask'
export const NOTE_ICON = 'mt-0.5 flex-none'

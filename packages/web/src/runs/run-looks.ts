/** Classes of the area that shows a run. */
export const RUN = 'min-h-0 min-w-0 border-l border-line phone:border-l-0'

/** Classes of that area when it shows a message instead of a run. */
export const NO_RUN = `${RUN} grid place-content-center p-6`

/** Classes of the header of a run. */
export const RUN_HEAD = 'grid min-w-0 gap-1.5 border-b border-line px-4 pt-2.5 pb-[9px]'

/** Classes of banners above all views, which have no frame. */
export const SHELL_BANNER = 'rounded-none border-x-0 border-t-0 px-4 phone:px-3'

/** Classes of a link in the sidebar. */
export const SIDE_LINK =
  'flex min-w-0 flex-1 items-center rounded-md px-2 text-ink-2 transition-[background,color] hover:bg-hover hover:text-ink aria-[current=page]:bg-sel aria-[current=page]:font-560 aria-[current=page]:text-ink'

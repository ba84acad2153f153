/** Light or dark: as the system prefers, or as was chosen. */

/** What can be chosen; `system` follows the system. */
export const themes = ['system', 'light', 'dark'] as const

/** A choice. */
export type Theme = (typeof themes)[number]

const kept = 'loom-theme'

/** The choice of this browser. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(kept)
  return themes.find((theme) => theme === stored) ?? 'system'
}

/** Applies a choice and keeps it. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(kept, theme)
  applyTheme(theme)
}

/** Applies a choice. What draws on a canvas is notified by the event `themechange` of the document. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  document.dispatchEvent(new Event('themechange'))
}

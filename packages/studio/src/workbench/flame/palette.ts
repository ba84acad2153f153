/** The colours of the tokens as a canvas takes them. */
import { type Category, categories } from '../../design/category.ts'

/** Colours for a canvas. */
export interface Palette {
  readonly ground: string
  readonly sunken: string
  readonly line: string
  readonly strong: string
  readonly ink: string
  readonly soft: string
  readonly faint: string
  readonly accent: string
  readonly fault: string
  readonly onCategory: string
  readonly veil: string
  readonly category: { readonly [C in Category]: string }
  readonly font: string
  readonly lane: number
}

/** Reads the tokens as they are where an element stands: light or dark, as chosen. */
export function readPalette(element: HTMLElement): Palette {
  const probe = element.ownerDocument.createElement('span')
  element.append(probe)
  const colour = (token: string): string => {
    probe.style.color = `var(--${token})`
    return getComputedStyle(probe).color
  }
  const style = getComputedStyle(element.ownerDocument.documentElement)
  const size = style.getPropertyValue('--type-small').trim()
  const ofCategories = Object.fromEntries(categories.map((category) => [category, colour(`kind-${category}`)])) as Record<Category, string>
  const palette: Palette = {
    ground: colour('ground'),
    sunken: colour('sunken'),
    line: colour('line'),
    strong: colour('line-strong'),
    ink: colour('ink'),
    soft: colour('ink-soft'),
    faint: colour('ink-faint'),
    accent: colour('accent'),
    fault: colour('fault'),
    onCategory: colour('on-category'),
    veil: colour('future'),
    category: { ...ofCategories, frame: colour('ink-soft') },
    font: `${size} ${getComputedStyle(element).fontFamily}`,
    lane: Number.parseFloat(style.getPropertyValue('--lane')),
  }
  probe.remove()
  return palette
}

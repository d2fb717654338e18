/**
 * Computes all colours of a brand from one colour, so that text is readable in the light and the dark theme (WCAG 2.2,
 * contrast 4.5) whatever that colour is. A colour that is not readable gets another lightness in OKLab
 * (https://bottosson.github.io/posts/oklab), so that it keeps its hue.
 */
import type { BrandColors } from './brand-shape.ts'

export interface BrandThemes {
  light: BrandColors
  dark: BrandColors
}

interface Theme {
  surface: string
  raised: string
  sunken: string
  /** The share of the colour in its tints. */
  tintShare: number
  /** By how much the lightness of an accent changes at a time: negative for darker. */
  step: number
}

/** The backgrounds of the console and of the account pages, and the colour of text (`ink`). */
export const grounds = {
  light: { canvas: '#f9f9fb', surface: '#ffffff', raised: '#ffffff', sunken: '#f0f0f3', ink: '#1c2024' },
  dark: { canvas: '#111113', surface: '#18191b', raised: '#212225', sunken: '#212225', ink: '#edeef0' },
} as const

/** The colour of a tenant that has set none: the accent of the console. */
export const defaultColor = '#5b5bd6'

const white = '#ffffff'
const minContrast = 4.5
const step = 0.01
const hoverSteps = 3

/** @param color like `#1a2b3c` */
export function brandColorsOf(color: string): BrandThemes {
  return {
    light: colorsIn({ ...grounds.light, tintShare: 0.1, step: -step }, color),
    dark: colorsIn({ ...grounds.dark, tintShare: 0.22, step }, color),
  }
}

function colorsIn(theme: Theme, color: string): BrandColors {
  const tint = mixed(color, theme.surface, theme.tintShare)
  const tintRaised = mixed(color, theme.raised, theme.tintShare)
  const accentText = moved(color, theme.step, [theme.sunken, tint, tintRaised])
  return { ...solidOf(color), accentText, focus: accentText, tint, tintRaised }
}

/** Text on a colour is white, or else ink; where neither is readable, the colour is darkened for white. */
function solidOf(color: string): Pick<BrandColors, 'solid' | 'onSolid' | 'solidHover'> {
  const { ink } = grounds.light
  const isInk = contrast(white, color) < minContrast && contrast(ink, color) >= minContrast
  const solid = isInk ? color.toLowerCase() : moved(color, -step, [white])
  const solidHover = shifted(solid, (isInk ? step : -step) * hoverSteps)
  return { solid, onSolid: isInk ? ink : white, solidHover }
}

/** @returns the colour, made darker or lighter until its contrast with all of the others suffices */
function moved(color: string, by: number, others: readonly string[]): string {
  for (let steps = 0; steps <= 1 / step; steps++) {
    const candidate = shifted(color, by * steps)
    if (others.every((other) => contrast(candidate, other) >= minContrast)) return candidate
  }
  return by < 0 ? '#000000' : white
}

/** The relative luminances of two colours, as a ratio of at least 1. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map(toLinear)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** @returns the colour with another lightness in OKLab; what a screen cannot show is cut off */
function shifted(color: string, by: number): string {
  const [red = 0, green = 0, blue = 0] = channels(color).map(toLinear)
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  // The lightness has the same share in all three.
  const [long, medium, short] = [l + by, m + by, s + by].map((root) => root ** 3) as [number, number, number] // as many
  return hexOf(
    [
      4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
      -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
      -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
    ].map(fromLinear),
  )
}

/** Mixes two colours as a screen does: in the stored channels. */
function mixed(color: string, ground: string, share: number): string {
  const below = channels(ground)
  return hexOf(channels(color).map((each, index) => each * share + (below[index] ?? 0) * (1 - share)))
}

function channels(color: string): number[] {
  return [1, 3, 5].map((from) => Number.parseInt(color.slice(from, from + 2), 16) / 255)
}

function hexOf(shares: readonly number[]): string {
  const texts = shares.map((share) =>
    Math.round(Math.min(Math.max(share, 0), 1) * 255)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${texts.join('')}`
}

function toLinear(share: number): number {
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function fromLinear(share: number): number {
  return share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055
}

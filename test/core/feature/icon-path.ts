/** The drawing of an icon of Lucide as one path, as `src/core/feature/icons.ts` keeps it. */
import type { IconNode } from 'lucide'

export function pathOf(node: IconNode): string {
  return node.map(([tag, attributes]) => shapeOf(tag, attributes)).join('')
}

function shapeOf(tag: string, attributes: IconNode[number][1]): string {
  const text = (name: string) => String(attributes[name] ?? '')
  const number = (name: string) => Number(attributes[name] ?? 0)
  switch (tag) {
    case 'path':
      return fromNowhere(text('d'))
    case 'circle':
      return ellipse(number('cx'), number('cy'), number('r'), number('r'))
    case 'ellipse':
      return ellipse(number('cx'), number('cy'), number('rx'), number('ry'))
    case 'line':
      return `M${number('x1')} ${number('y1')}L${number('x2')} ${number('y2')}`
    case 'polyline':
      return `M${text('points').trim().replaceAll(',', ' ')}`
    case 'rect':
      return rectangle({
        x: number('x'),
        y: number('y'),
        width: number('width'),
        height: number('height'),
        radius: number('rx'),
      })
    default:
      throw new Error(`no path is made of ${tag}`)
  }
}

/** Its first move may be relative: to where another path has ended, as soon as it follows one. */
function fromNowhere(d: string): string {
  const [start = '', x = '', y = ''] = /^m\s*(-?[\d.]+)[\s,]*(-?[\d.]+)[\s,]*/.exec(d) ?? []
  if (start === '') return d
  const rest = d.slice(start.length)
  return `M${x} ${y}${/^[-\d.]/.test(rest) ? 'l' : ''}${rest}`
}

function ellipse(x: number, y: number, rx: number, ry: number): string {
  return `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`
}

interface Rectangle {
  x: number
  y: number
  width: number
  height: number
  radius: number
}

function rectangle({ x, y, width, height, radius }: Rectangle): string {
  const [across, down] = [width - 2 * radius, height - 2 * radius]
  if (radius === 0) return `M${x} ${y}h${width}v${height}h${-width}z`
  const corner = (dx: number, dy: number) => `a${radius} ${radius} 0 0 1 ${dx} ${dy}`
  return (
    `M${x + radius} ${y}h${across}${corner(radius, radius)}v${down}${corner(-radius, radius)}` +
    `h${-across}${corner(-radius, -radius)}v${-down}${corner(radius, -radius)}z`
  )
}

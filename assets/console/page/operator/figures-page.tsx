/** What the service does now, and nothing else. */
import { text } from '../../text/text.ts'
import { FigureCharts } from './figure-charts.tsx'

const texts = text.operator.figures

export function FiguresPage() {
  return (
    <div class="stack">
      <h1>{texts.title}</h1>
      <p class="soft">{texts.explained}</p>
      <FigureCharts />
    </div>
  )
}

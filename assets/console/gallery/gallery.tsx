/** The gallery: one page with all components of the console, made from sample data. */
import { AppContext } from '../app-context.ts'
import { Buttons } from './buttons.tsx'
import { Feedback } from './feedback.tsx'
import { Fields, Pickers } from './fields.tsx'
import { Figures, Heads } from './navigation.tsx'
import { app } from './sample.ts'
import { Grids, Tables } from './tables.tsx'

const title = 'Components'

export function Gallery() {
  return (
    <AppContext.Provider value={app}>
      <main class="stack gallery-page">
        <h1>{title}</h1>
        <Buttons />
        <Fields />
        <Pickers />
        <Tables />
        <Grids />
        <Heads />
        <Figures />
        <Feedback />
      </main>
    </AppContext.Provider>
  )
}

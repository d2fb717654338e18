import { losesNothing } from './lost.ts'

losesNothing(1)

import { leavesLittleBehind } from './hostile/left-behind.ts'

leavesLittleBehind(100_000)

import { render } from 'preact'
import { LoadingScreen } from './start/screens.tsx'

const root = document.getElementById('app')
if (root) render(<LoadingScreen />, root)

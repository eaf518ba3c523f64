import {
  createTheme,
  type CSSVariablesResolver,
  defaultVariantColorsResolver,
  localStorageColorSchemeManager,
  type VariantColorsResolver,
} from '@mantine/core'

type Tokens = Record<
  | 'paper'
  | 'card'
  | 'ink'
  | 'muted'
  | 'line'
  | 'control'
  | 'hover'
  | 'pine'
  | 'pine-hover'
  | 'on-pine'
  | 'pine-soft'
  | 'marker'
  | 'amber'
  | 'amber-soft'
  | 'red'
  | 'red-soft'
  | 'shadow',
  string
>

const light: Tokens = {
  paper: '#FBFAF6',
  card: '#FFFFFF',
  ink: '#161A18',
  muted: '#5B645F',
  line: '#E6E2D8',
  control: '#868D87',
  hover: '#EEEDE6',
  pine: '#0B5D4E',
  'pine-hover': '#084A3E',
  'on-pine': '#FFFFFF',
  'pine-soft': '#E4F0EC',
  marker: '#FFE58A',
  amber: '#8A5200',
  'amber-soft': '#FFF3D6',
  red: '#B42318',
  'red-soft': '#FDECEA',
  shadow: '0 1px 2px rgb(22 26 24 / 6%), 0 4px 12px rgb(22 26 24 / 5%)',
}

const dark: Tokens = {
  paper: '#101413',
  card: '#171C1A',
  ink: '#ECEBE5',
  muted: '#A2ABA6',
  line: '#2A312E',
  control: '#6B746F',
  hover: '#1F2623',
  pine: '#6CD3B6',
  'pine-hover': '#8BDFC7',
  'on-pine': '#0B1A16',
  'pine-soft': '#18332C',
  marker: '#6A5814',
  amber: '#F2C46B',
  'amber-soft': '#35280F',
  red: '#FF9C92',
  'red-soft': '#3A1A17',
  shadow: 'none',
}

/** The tokens as `--em-*`, and Mantine's own variables drawn from them. */
function schemeVariables(tokens: Tokens): Record<string, string> {
  const own = Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--em-${name}`, value]))
  return {
    ...own,
    '--mantine-color-body': tokens.paper,
    '--mantine-color-text': tokens.ink,
    '--mantine-color-bright': tokens.ink,
    '--mantine-color-dimmed': tokens.muted,
    '--mantine-color-placeholder': tokens.muted,
    '--mantine-color-anchor': tokens.pine,
    '--mantine-color-error': tokens.red,
    '--mantine-color-default': tokens.card,
    '--mantine-color-default-hover': tokens.hover,
    '--mantine-color-default-color': tokens.ink,
    '--mantine-color-default-border': tokens.line,
    '--mantine-primary-color-filled': tokens.pine,
    '--mantine-primary-color-filled-hover': tokens['pine-hover'],
    '--mantine-primary-color-contrast': tokens['on-pine'],
    '--mantine-primary-color-light': tokens['pine-soft'],
    '--mantine-shadow-md': tokens.shadow,
  }
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: schemeVariables(light),
  dark: schemeVariables(dark),
})

const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  if (input.variant === 'filled') {
    return {
      ...colors,
      background: 'var(--em-pine)',
      hover: 'var(--em-pine-hover)',
      color: 'var(--em-on-pine)',
    }
  }
  if (input.variant === 'subtle' || input.variant === 'transparent') {
    return { ...colors, background: 'transparent', hover: 'var(--em-hover)', color: 'var(--em-ink)' }
  }
  return colors
}

const sans = '"Inter Variable", "Inter Fallback", Arial, sans-serif'
const serif = '"Instrument Serif", "Instrument Serif Fallback", "Times New Roman", serif'

export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 8, dark: 3 },
  colors: {
    pine: [
      '#E4F0EC', '#C5E2DA', '#9CD3C3', '#6CD3B6', '#3FB197', '#26917A', '#187763', '#0F6656', '#0B5D4E', '#084A3E',
    ], // prettier-ignore
  },
  fontFamily: sans,
  fontSizes: { xs: '12px', sm: '13px', md: '15px', lg: '17px', xl: '20px' },
  lineHeights: { md: '1.5334' },
  headings: {
    fontFamily: sans,
    sizes: {
      h1: { fontSize: '40px', lineHeight: '1.1', fontWeight: '400' },
      h2: { fontSize: '20px', lineHeight: '1.4', fontWeight: '600' },
      h3: { fontSize: '16px', lineHeight: '1.4', fontWeight: '600' },
    },
  },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '40px' },
  radius: { sm: '6px', md: '10px', lg: '14px' },
  defaultRadius: 'md',
  respectReducedMotion: true,
  variantColorResolver: variantColors,
  other: { serif },
  components: {
    Button: { defaultProps: { h: 44, fz: 14, fw: 600 } },
    ModalRoot: {
      defaultProps: { centered: true, radius: 'lg', transitionProps: { transition: 'fade', duration: 150 } },
    },
    ModalOverlay: { defaultProps: { backgroundOpacity: 0.45, blur: 2 } },
    Popover: { defaultProps: { radius: 'lg', shadow: 'md', transitionProps: { duration: 120 } } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
  },
})

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'earmark-color-scheme' })

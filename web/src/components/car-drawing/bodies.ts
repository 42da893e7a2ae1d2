/** Side views on a sheet of 320 by 240, standing on y = 170. Drawn for this product. */
import type { CarBody } from './body-of';

interface Drawing {
  /** Roof and ends; the sill with its wheel arches is added from the wheels. */
  outline: string;
  start: number;
  glass: string;
  lines: string;
  wheels: readonly [front: number, rear: number];
  radius: number;
}

export const bodies: Record<CarBody, Drawing> = {
  kei: {
    start: 62,
    outline: 'V118 Q62 108 74 106 L92 102 L108 72 Q112 65 122 65 H228 Q240 65 242 77 L246 108 V150',
    glass:
      'M100 102 L114 76 Q116 73 121 73 H154 V102 Z M162 73 H196 V102 H162 Z M204 73 H226 Q233 73 234 79 L237 102 H204 Z',
    lines: 'M158 73 V148 M200 73 V136 M66 120 H76 M240 118 H246 M166 112 H176 M206 112 H216',
    wheels: [98, 214],
    radius: 18,
  },
  hatch: {
    start: 44,
    outline:
      'V132 Q44 121 58 118 L98 111 L128 83 Q135 77 148 77 H208 Q222 77 230 87 L248 110 Q258 114 259 126 V150',
    glass: 'M112 110 L135 88 Q139 85 146 85 H168 V110 Z M176 85 H206 Q215 85 221 92 L235 110 H176 Z',
    lines: 'M172 85 V148 M48 128 H60 M249 118 H258 M180 119 H191',
    wheels: [94, 220],
    radius: 21,
  },
  sedan: {
    start: 32,
    outline:
      'V134 Q32 122 46 119 L92 112 L126 86 Q133 81 144 81 H192 Q203 81 212 87 L244 110 L276 116 Q288 119 288 132 V150',
    glass: 'M108 111 L133 91 Q137 89 143 89 H164 V111 Z M172 89 H191 Q199 89 206 94 L229 111 H172 Z',
    lines: 'M168 89 V148 M36 130 H50 M276 124 H287 M176 120 H188 M128 120 H140',
    wheels: [88, 236],
    radius: 21,
  },
  wagon: {
    start: 32,
    outline:
      'V134 Q32 122 46 119 L92 112 L126 85 Q133 80 144 80 H248 Q260 80 265 90 L277 115 Q287 119 287 132 V150',
    glass:
      'M108 111 L133 90 Q137 88 143 88 H164 V111 Z M172 88 H212 V111 H172 Z M220 88 H246 Q253 88 256 94 L264 111 H220 Z',
    lines: 'M168 88 V148 M216 88 V134 M36 130 H50 M276 124 H286 M176 120 H188 M140 76 H244',
    wheels: [88, 236],
    radius: 21,
  },
  coupe: {
    start: 30,
    outline: 'V137 Q30 127 46 123 L104 115 Q142 89 184 89 Q222 90 252 110 L278 116 Q290 120 290 134 V150',
    glass: 'M122 114 Q150 97 180 97 V114 Z M188 97 Q214 98 236 114 H188 Z',
    lines: 'M184 97 Q190 130 182 148 M34 134 H50 M277 126 H289 M194 122 H206',
    wheels: [88, 238],
    radius: 22,
  },
  suv: {
    start: 38,
    outline:
      'V120 Q38 108 52 105 L98 99 L122 69 Q127 63 138 63 H242 Q254 63 258 73 L268 100 Q281 103 282 116 V150',
    glass:
      'M112 98 L130 76 Q133 72 139 72 H164 V98 Z M172 72 H210 V98 H172 Z M218 72 H240 Q247 72 249 78 L257 98 H218 Z',
    lines:
      'M168 72 V146 M214 72 V130 M42 118 H56 M270 110 H281 M176 108 H188 M138 58 H236 M282 112 H288 V140 H282',
    wheels: [92, 232],
    radius: 25,
  },
  van: {
    start: 38,
    outline: 'V118 Q39 106 50 100 L88 64 Q96 56 110 56 H266 Q282 56 282 74 V150',
    glass:
      'M66 98 L94 70 Q98 66 104 66 H116 V98 Z M124 66 H170 V98 H124 Z M178 66 H222 V98 H178 Z M230 66 H264 Q272 66 272 74 V98 H230 Z',
    lines: 'M120 66 V146 M174 66 V146 M174 108 H282 M42 118 H54 M272 112 H282 M128 110 H140',
    wheels: [86, 238],
    radius: 21,
  },
  truck: {
    start: 34,
    outline: 'V118 Q35 106 46 101 L72 68 Q78 60 90 60 H134 Q142 60 142 68 V114 H288 V150',
    glass: 'M62 100 L82 74 Q86 70 92 70 H106 V100 Z M114 70 H130 V100 H114 Z',
    lines:
      'M110 70 V146 M142 114 V148 M150 92 V114 M150 92 H288 V114 M196 92 V114 M242 92 V114 M38 120 H50 M118 110 H128',
    wheels: [86, 240],
    radius: 22,
  },
};

/** The whole contour: down from the hood's corner, over the roof, back along the sill around both wheels. */
export function contour({ outline, start, wheels: [front, rear], radius }: Drawing): string {
  const arch = radius + 4;
  const around = (x: number) => `H${x + arch} A${arch} ${arch} 0 0 0 ${x - arch} 150`;
  return `M${start} 150 ${outline} ${around(rear)} ${around(front)} Z`;
}

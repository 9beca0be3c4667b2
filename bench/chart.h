/* chart.h: draws figures as SVG: for each group, a bar or a point of a line for each series; with a legend. */
#ifndef BENCH_CHART_H
#define BENCH_CHART_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { CHART_GROUPS = 25, CHART_SERIES = 12 };

typedef struct chart {
    const char *title, *unit; /* of the values */
    const char *groups_are;   /* below the axis */
    size_t groups, series;
    const char *group[CHART_GROUPS], *name[CHART_SERIES];
    double value[CHART_SERIES][CHART_GROUPS]; /* 0: no value */
    bool lines;
    bool decades;             /* a logarithmic axis */
} chart;

enum { CHART_WIDTH = 720, CHART_LEFT = 70, CHART_TOP = 40, CHART_RIGHT = 710, CHART_FOOT = 300 };

/* The smallest step of 1, 2 or 5 times a power of ten for which at most `most` steps reach x. */
static double chart_step(double x, double most)
{
    const double power = pow(10, floor(log10(x / most)));
    return power * most >= x ? power : 2 * power * most >= x ? 2 * power : 5 * power * most >= x ? 5 * power : 10 * power;
}
/* The height at which a value is drawn. */
static double chart_y(const chart *c, double value, double least, double most)
{
    const double part = c->decades ? log(value / least) / log(most / least) : value / most;
    return CHART_FOOT - (CHART_FOOT - CHART_TOP) * fmin(fmax(part, 0), 1);
}
/* The number of columns of the legend: as many as fit for the longest name. */
static size_t chart_columns(const chart *c)
{
    size_t longest = 1;
    for (size_t s = 0; s < c->series; s++)
        if (strlen(c->name[s]) > longest) longest = strlen(c->name[s]);
    const size_t room = (CHART_RIGHT - CHART_LEFT) / (34 + 7 * longest);
    return room < 1 ? 1 : room < c->series ? room : c->series;
}
/* Writes the beginning of a figure: a style class for each series, in colours that colour-blind readers can distinguish, on
   white, or on black if the reader's system is dark. From the ninth series on, colours repeat in a paler shade. */
static void chart_style(FILE *f, int height)
{
    static const char *const color[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#888888", "#a6761d"};
    fprintf(f, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d'>\n", CHART_WIDTH,
            height, CHART_WIDTH, height);
    fprintf(f, "<style>text{font:12px sans-serif;fill:#222;stroke:none}.m{text-anchor:middle}.e{text-anchor:end}.q{fill:#555}"
               ".p{fill:#fff}.g{stroke:#ddd}path{fill:none}g path{stroke-width:2}");
    for (size_t s = 0; s < CHART_SERIES; s++)
        fprintf(f, ".s%zu{fill:%s;stroke:%s;stroke-width:0;opacity:%s}", s, color[s % 8], color[s % 8], s < 8 ? "1" : ".5");
    fprintf(f, "@media(prefers-color-scheme:dark){text{fill:#ddd}.q{fill:#aaa}.p{fill:#15181c}.g{stroke:#333940}"
               ".s0,.s8{fill:#56b4e9;stroke:#56b4e9}.s1,.s9{fill:#f0915a;stroke:#f0915a}.s5{fill:#0072b2;stroke:#0072b2}}</style>\n<rect class='p' width='%d' height='%d'/>\n",
            CHART_WIDTH, height);
}
static bool chart_draw(const chart *c, const char *path)
{
    double least = HUGE_VAL, most = 0;
    FILE *f = fopen(path, "wb");
    if (!f) return false;
    for (size_t s = 0; s < c->series; s++)
        for (size_t g = 0; g < c->groups; g++)
            if (c->value[s][g] > 0) least = fmin(least, c->value[s][g]), most = fmax(most, c->value[s][g]);
    if (most == 0) least = most = 1;
    least = pow(10, floor(log10(least * 0.9)));
    const double top = c->decades ? pow(10, ceil(log10(most * 1.01))) : most * 1.05, step = chart_step(top, 6);
    const double width = (double)(CHART_RIGHT - CHART_LEFT) / (double)c->groups, bar = width * 0.84 / (double)c->series;
    const size_t columns = chart_columns(c);
    chart_style(f, CHART_FOOT + 50 + 18 * (int)((c->series + columns - 1) / columns));
    fprintf(f, "<text x='8' y='16'>%s</text>\n", c->title);
    fprintf(f, "<text class='q' x='%d' y='32'>%s</text>\n", CHART_LEFT, c->unit);
    for (double v = c->decades ? least : 0; v <= top * 1.0001; v = c->decades ? v * 10 : v + step) {
        const double y = chart_y(c, v, least, top);
        fprintf(f, "<path class='g' d='M%d %.1fH%d'/><text class='e' x='%d' y='%.1f'>%.4g</text>\n", CHART_LEFT, y, CHART_RIGHT, CHART_LEFT - 6, y + 4, v);
    }
    for (size_t g = 0; g < c->groups; g++)
        fprintf(f, "<text class='m' x='%.1f' y='%d'>%s</text>\n", CHART_LEFT + width * ((double)g + 0.5),
                CHART_FOOT + 18, c->group[g]);
    fprintf(f, "<text class='m' x='%d' y='%d'>%s</text>\n", (CHART_LEFT + CHART_RIGHT) / 2, CHART_FOOT + 36,
            c->groups_are);
    for (size_t s = 0; s < c->series; s++) {
        const double column = (double)(s % columns) * (CHART_RIGHT - CHART_LEFT) / (double)columns, line = (double)(s / columns) * 18;
        fprintf(f, "<g class='s%zu'><rect x='%.1f' y='%.1f' width='10' height='10'/>", s, CHART_LEFT + column,
                CHART_FOOT + 46 + line);
        fprintf(f, "<text x='%.1f' y='%.1f'>%s</text>\n", CHART_LEFT + column + 14, CHART_FOOT + 55 + line, c->name[s]);
        for (size_t g = 0, last = c->groups; g < c->groups; g++) {
            const double x = CHART_LEFT + width * ((double)g + 0.5), y = chart_y(c, c->value[s][g], least, top);
            if (c->value[s][g] <= 0) continue;
            if (!c->lines)
                fprintf(f, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f'/>\n",
                        x - width * 0.42 + bar * (double)s, y, bar * 0.92, CHART_FOOT - y);
            else if (last < g)
                fprintf(f, "<path d='M%.1f %.1fL%.1f %.1f'/>\n", x - width * (double)(g - last),
                        chart_y(c, c->value[s][last], least, top), x, y);
            if (c->lines) fprintf(f, "<circle cx='%.1f' cy='%.1f' r='3'/>\n", x, y);
            last = g;
        }
        fprintf(f, "</g>\n");
    }
    fprintf(f, "</svg>\n");
    return fclose(f) == 0;
}

#endif /* BENCH_CHART_H */

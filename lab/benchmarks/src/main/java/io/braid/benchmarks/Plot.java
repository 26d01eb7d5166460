package io.braid.benchmarks;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * A plot as SVG, and the same plot drawn as PNG. The drawing supports only the elements that the
 * charts here contain.
 */
final class Plot {
  private static final int SCALE = 2;

  private final Graphics2D to;
  private final int width;
  private final int height;

  private Plot(Graphics2D to, int width, int height) {
    this.to = to;
    this.width = width;
    this.height = height;
  }

  /** Writes {@code NAME.svg} and {@code NAME.png}. */
  static void write(Path directory, String name, String svg) throws IOException {
    Files.writeString(directory.resolve(name + ".svg"), svg);
    ImageIO.write(image(svg), "png", directory.resolve(name + ".png").toFile());
  }

  static BufferedImage image(String svg) throws IOException {
    System.setProperty("java.awt.headless", "true");
    Element root = parsed(svg);
    String[] box = root.getAttribute("viewBox").split(" ", -1);
    int width = Integer.parseInt(box[2]);
    int height = Integer.parseInt(box[3]);
    BufferedImage image =
        new BufferedImage(SCALE * width, SCALE * height, BufferedImage.TYPE_INT_RGB);
    Graphics2D to = image.createGraphics();
    try {
      to.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      to.scale(SCALE, SCALE);
      Plot plot = new Plot(to, width, height);
      for (Node each = root.getFirstChild(); each != null; each = each.getNextSibling()) {
        if (each instanceof Element element) {
          plot.draw(element);
        }
      }
    } finally {
      to.dispose();
    }
    return image;
  }

  private static Element parsed(String svg) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return factory
          .newDocumentBuilder()
          .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)))
          .getDocumentElement();
    } catch (SAXException | ParserConfigurationException e) {
      throw new IOException("A plot is no SVG: " + e.getMessage(), e);
    }
  }

  private void draw(Element element) {
    switch (element.getTagName()) {
      case "rect" -> {
        to.setColor(colour(element, "fill"));
        to.fill(
            new Rectangle2D.Double(
                length(element, "x", width),
                length(element, "y", height),
                length(element, "width", width),
                length(element, "height", height)));
      }
      case "line" -> {
        stroke(element);
        to.draw(
            new Line2D.Double(
                length(element, "x1", width),
                length(element, "y1", height),
                length(element, "x2", width),
                length(element, "y2", height)));
      }
      case "circle" -> {
        double radius = length(element, "r", width);
        to.setColor(colour(element, "fill"));
        to.fill(
            new Ellipse2D.Double(
                length(element, "cx", width) - radius,
                length(element, "cy", height) - radius,
                2 * radius,
                2 * radius));
      }
      case "polyline" -> polyline(element);
      case "text" -> text(element);
      default ->
          throw new IllegalArgumentException("No plot has a <" + element.getTagName() + ">.");
    }
  }

  private void polyline(Element element) {
    Path2D path = new Path2D.Double();
    for (String point : element.getAttribute("points").strip().split(" +", -1)) {
      String[] at = point.split(",", -1);
      double x = Double.parseDouble(at[0]);
      double y = Double.parseDouble(at[1]);
      if (path.getCurrentPoint() == null) {
        path.moveTo(x, y);
      } else {
        path.lineTo(x, y);
      }
    }
    stroke(element);
    to.draw(path);
  }

  private void text(Element element) {
    String text = element.getTextContent();
    float size =
        element.hasAttribute("font-size") ? Float.parseFloat(value(element, "font-size")) : 12;
    to.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 1).deriveFont(size));
    to.setColor(colour(element, "fill"));
    double before =
        switch (element.getAttribute("text-anchor")) {
          case "end" -> 1;
          case "middle" -> 0.5;
          default -> 0;
        };
    double x = length(element, "x", width) - before * to.getFontMetrics().stringWidth(text);
    to.drawString(text, (float) x, (float) length(element, "y", height));
  }

  private void stroke(Element element) {
    float thick =
        element.hasAttribute("stroke-width") ? Float.parseFloat(value(element, "stroke-width")) : 1;
    float[] dashes = element.hasAttribute("stroke-dasharray") ? new float[] {4, 3} : null;
    to.setStroke(
        new BasicStroke(thick, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, dashes, 0));
    to.setColor(colour(element, "stroke"));
  }

  private static String value(Element element, String name) {
    return element.getAttribute(name).toLowerCase(Locale.ROOT);
  }

  /** Returns a number, or a share of the whole; 0 if there is none. */
  private static double length(Element element, String name, double whole) {
    String value = value(element, name);
    if (value.isEmpty()) {
      return 0;
    }
    return value.endsWith("%")
        ? Double.parseDouble(value.substring(0, value.length() - 1)) / 100 * whole
        : Double.parseDouble(value);
  }

  /** Parses a colour written as {@code #abc} or {@code #aabbcc}; black if there is none. */
  private static Color colour(Element element, String name) {
    String hex =
        value(element, name).replaceFirst("^#([0-9a-f])([0-9a-f])([0-9a-f])$", "#$1$1$2$2$3$3");
    return hex.isEmpty() ? Color.BLACK : Color.decode(hex);
  }
}
